# A rope over a drum with friction: slides toward the long side. Independent of the program.
import math
G=9.81
def accel(ls,ll,R,mu,v,n=4000):
    # T = P + Q a ; lambda = 1
    b=G
    def ends(a):
        T=ls*(b+a); d=math.pi/n
        def f(th,T): return mu*(T-v*v+b*R*math.cos(th)) - b*R*math.sin(th) + R*a
        th=-math.pi/2
        for i in range(n):
            k1=f(th,T);k2=f(th+d/2,T+d/2*k1);k3=f(th+d/2,T+d/2*k2);k4=f(th+d,T+d*k3)
            T+=d/6*(k1+2*k2+2*k3+k4); th+=d
        return T-ll*(b-a)
    e0=ends(0.0); e1=ends(1.0)
    return -e0/(e1-e0)
def slide(off,R,mu,L=4.0,t=1.0,dt=0.01,n=400):
    # Backward Euler, as the steppers: lengths and speed of a step are those at its end.
    ls=(L-math.pi*R)/2-off; ll=(L-math.pi*R)/2+off
    x=v=0.0
    for i in range(round(t/dt)):
        end=v
        for _ in range(50):
            last,end=end,max(0.0,v+dt*accel(ls-x-dt*end,ll+x+dt*end,R,mu,end,n))
            if abs(end-last)<1e-13: break
        v=end; x+=dt*v
        if x>=ls: return x,v
    return x,v
def limit(off,R,L=4.0):
    lo,hi=0.0,1.0
    for _ in range(60):
        m=(lo+hi)/2
        ls=(L-math.pi*R)/2-off; ll=(L-math.pi*R)/2+off
        if accel(ls,ll,R,m,0.0,2000)>0: lo=m
        else: hi=m
    return lo
if __name__=='__main__':
    R=1.6/math.pi
    print('limit 0.4',limit(0.4,R))
    for off in [0,.16,.32,.48,.64]: print(off,limit(off,R),slide(off,R,0.15))
    for mu in [.12,.13,.14,.15,.16]: print(mu,slide(0.4,R,mu))
    print('dt 0.02 mu .12',slide(0.4,R,.12,dt=0.02))
    print('mu .05 1.2s',slide(0.4,R,.05,t=1.2))
